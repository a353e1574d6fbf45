/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What every policy must keep, whoever wrote it. */
#ifndef POLICY_CONTRACT_H
#define POLICY_CONTRACT_H

#include <stddef.h>

#include <fz/policy.h>

/* A plan is meant to be small at any folio size. */
#define POLICY_MAX_RUNS 12

/**
 * policy_contract_entry() - are name, texts and sets well formed?
 * @policy: the policy
 *
 * Return: NULL, or what is wrong.
 */
const char *policy_contract_entry(const struct fz_policy *policy);

/**
 * policy_contract_plan() - does a plan keep the contract?
 * @policy: the policy
 * @request: the folio
 *
 * Every page once and none outside, few runs, the same for whatever the policy
 * says that it does not use, and as few runs if it were emitted step by step.
 *
 * Return: NULL, or what is wrong.
 */
const char *policy_contract_plan(const struct fz_policy *policy,
				 const struct fz_zero_request *request);

/**
 * policy_contract_run() - does it keep the contract on random folios?
 * @policy: the policy
 * @first: [first_bytes], says what went wrong first; empty if nothing did
 * @first_bytes: its size
 *
 * Return: how many folios went wrong.
 */
unsigned int policy_contract_run(const struct fz_policy *policy, char *first,
				 size_t first_bytes);

#endif
