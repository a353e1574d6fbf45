/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prices from measured totals: weighted least squares of a few terms. */
#ifndef FZ_LEAST_SQUARES_H
#define FZ_LEAST_SQUARES_H

#include <stddef.h>

#include <fz/statistics.h>

/**
 * DOC: least squares
 *
 * An observation says that so many of each term cost y together: y = sum of
 * x[i] times the price of term i. The prices are those with the least sum of
 * squared *relative* errors, ((y - predicted) / y)^2, so that a page counts as
 * much as a gigabyte.
 *
 * A price is never negative. A term that would be is 0, and the others are
 * fitted anew; of several the one that is most clearly negative goes first.
 */

#define FZ_LEAST_SQUARES_TERMS 6

/**
 * struct fz_observation - a measured total
 * @x: how many of each term
 * @y: what they cost together, more than 0
 */
struct fz_observation {
	double x[FZ_LEAST_SQUARES_TERMS];
	double y;
};

/**
 * struct fz_price_term - the price of a term
 * @value: at least 0; NAN: the observations do not tell it
 * @ci95: its interval at 95 % (Student's t), cut off at 0; of a term that was
 *	set to 0 from 0 to where the interval of the negative value ended;
 *	[0, inf] if there are no more observations than terms
 */
struct fz_price_term {
	double value;
	struct fz_interval ci95;
};

/**
 * struct fz_least_squares - a fit
 * @nr_terms: terms
 * @term: [nr_terms]
 * @relative_error: root of the mean squared relative error, per degree of
 *	freedom; 0 if there is none left
 */
struct fz_least_squares {
	size_t nr_terms;
	struct fz_price_term term[FZ_LEAST_SQUARES_TERMS];
	double relative_error;
};

/**
 * fz_least_squares_fit() - the prices
 * @observations: [@nr], finite numbers
 * @nr: how many; with 0 no price is known
 * @nr_terms: 1 to FZ_LEAST_SQUARES_TERMS
 *
 * A term that no observation has, or that always comes in the same proportion
 * to terms before it, has no price. An interval holds the price in 95 of 100
 * such fits if relative errors are alike and normal.
 *
 * Return: the fit.
 */
struct fz_least_squares
fz_least_squares_fit(const struct fz_observation *observations, size_t nr,
		     size_t nr_terms);

#endif
