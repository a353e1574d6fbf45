// SPDX-License-Identifier: GPL-2.0-or-later
/* Least squares of relative errors, by the normal equations. */
#include <fz/least_squares.h>

#include <assert.h>
#include <math.h>
#include <stdbool.h>

#define MATHLIB_STANDALONE
#include <Rmath.h>

#define TERMS FZ_LEAST_SQUARES_TERMS

/* Of a column's length, what is left of one that others do not explain. Sums
 * of rounding errors stay below it. */
#define INDEPENDENT 1e-9

/* Columns are scaled to length 1, so that counts and bytes go together. */
struct equations {
	size_t nr_terms;
	double scale[TERMS];
	double product[TERMS][TERMS]; /* of columns */
	double total[TERMS];          /* of columns with the observations */
	bool told[TERMS];
};

/* Of the terms that take part: prices in scaled units, and the inverse. */
struct solution {
	double value[TERMS];
	double inverse[TERMS][TERMS];
};

static void add_up(struct equations *e, const struct fz_observation *obs,
		   size_t nr)
{
	for (size_t n = 0; n < nr; n++) {
		assert(obs[n].y > 0);
		for (size_t i = 0; i < e->nr_terms; i++) {
			const double xi = obs[n].x[i] / obs[n].y;

			e->total[i] += xi;
			for (size_t j = 0; j < e->nr_terms; j++)
				e->product[i][j] += xi * obs[n].x[j] / obs[n].y;
		}
	}
}

static void scale(struct equations *e)
{
	for (size_t i = 0; i < e->nr_terms; i++)
		e->scale[i] = sqrt(e->product[i][i]);
	for (size_t i = 0; i < e->nr_terms; i++) {
		e->told[i] = e->scale[i] > 0;
		if (!e->told[i])
			continue;
		e->total[i] /= e->scale[i];
		for (size_t j = 0; j < e->nr_terms; j++)
			if (e->scale[j] > 0)
				e->product[i][j] /= e->scale[i] * e->scale[j];
	}
}

/*
 * Gauss and Jordan, without pivots: the matrix is symmetric and positive. A
 * term that those before it explain is not told.
 */
static void solve(struct equations *e, const bool *in, struct solution *s)
{
	double a[TERMS][2 * TERMS] = { { 0 } };

	*s = (struct solution){ .value = { 0 } };
	for (size_t i = 0; i < e->nr_terms; i++) {
		a[i][TERMS + i] = 1;
		for (size_t j = 0; j < e->nr_terms; j++)
			a[i][j] = in[i] && in[j] ? e->product[i][j] : 0;
	}
	for (size_t p = 0; p < e->nr_terms; p++) {
		const double pivot = a[p][p];

		if (!in[p])
			continue;
		if (pivot < INDEPENDENT) {
			e->told[p] = false;
			return;
		}
		for (size_t j = 0; j < 2 * TERMS; j++)
			a[p][j] /= pivot;
		for (size_t i = 0; i < e->nr_terms; i++) {
			const double times = a[i][p];

			for (size_t j = 0; i != p && j < 2 * TERMS; j++)
				a[i][j] -= times * a[p][j];
		}
	}
	for (size_t i = 0; i < e->nr_terms; i++)
		for (size_t j = 0; in[i] && j < e->nr_terms; j++)
			if (in[j]) {
				s->inverse[i][j] = a[i][TERMS + j];
				s->value[i] += a[i][TERMS + j] * e->total[j];
			}
}

/* Of a fit: what it leaves, squared and summed. */
static double squares_left(const struct equations *e, const struct solution *s,
			   const struct fz_observation *obs, size_t nr)
{
	double sum = 0;

	for (size_t n = 0; n < nr; n++) {
		double left = 1;

		for (size_t i = 0; i < e->nr_terms; i++)
			if (e->scale[i] > 0)
				left -= s->value[i] / e->scale[i] *
					obs[n].x[i] / obs[n].y;
		sum += left * left;
	}
	return sum;
}

static size_t count(const bool *in, size_t nr)
{
	size_t n = 0;

	for (size_t i = 0; i < nr; i++)
		n += in[i];
	return n;
}

/* Solve for all terms of `in` that are told. */
static void solve_told(struct equations *e, bool *in, struct solution *s)
{
	size_t before;

	do {
		for (size_t i = 0; i < e->nr_terms; i++)
			in[i] = in[i] && e->told[i];
		before = count(in, e->nr_terms);
		solve(e, in, s);
		for (size_t i = 0; i < e->nr_terms; i++)
			in[i] = in[i] && e->told[i];
	} while (count(in, e->nr_terms) < before);
}

/* The term that is negative by most of its standard errors; nr = none is. */
static size_t most_negative(const struct equations *e, const bool *in,
			    const struct solution *s)
{
	size_t worst = e->nr_terms;
	double by = 0;

	for (size_t i = 0; i < e->nr_terms; i++) {
		const double errors = s->value[i] / sqrt(s->inverse[i][i]);

		if (in[i] && s->value[i] < 0 && errors < by) {
			by = errors;
			worst = i;
		}
	}
	return worst;
}

static struct fz_price_term term_of(const struct equations *e,
				    const struct solution *s, size_t i,
				    double reach)
{
	const double value = s->value[i] / e->scale[i];
	const double width = reach * sqrt(s->inverse[i][i]) / e->scale[i];

	return (struct fz_price_term){
		.value = fmax(value, 0),
		.ci95 = { fmax(value - width, 0), fmax(value + width, 0) },
	};
}

static void keep(struct fz_least_squares *fit, const struct equations *e,
		 const bool *in, const struct solution *s,
		 const struct fz_observation *obs, size_t nr)
{
	const size_t nr_in = count(in, e->nr_terms);
	const size_t freedom = nr > nr_in ? nr - nr_in : 0;
	double reach = INFINITY;

	fit->relative_error = 0;
	if (freedom) {
		fit->relative_error =
			sqrt(squares_left(e, s, obs, nr) / (double)freedom);
		reach = fit->relative_error * qt(0.975, (double)freedom, 1, 0);
	}
	for (size_t i = 0; i < e->nr_terms; i++)
		if (in[i])
			fit->term[i] = term_of(e, s, i, reach);
}

struct fz_least_squares
fz_least_squares_fit(const struct fz_observation *observations, size_t nr,
		     size_t nr_terms)
{
	struct fz_least_squares fit = { .nr_terms = nr_terms };
	struct equations e = { .nr_terms = nr_terms };
	bool in[TERMS] = { false };
	struct solution s;
	size_t negative;

	assert(nr_terms > 0 && nr_terms <= TERMS);
	add_up(&e, observations, nr);
	scale(&e);
	for (size_t i = 0; i < nr_terms; i++) {
		in[i] = true;
		fit.term[i] = (struct fz_price_term){ NAN, { 0, INFINITY } };
	}
	solve_told(&e, in, &s);
	for (;;) {
		keep(&fit, &e, in, &s, observations, nr);
		negative = most_negative(&e, in, &s);
		if (negative == nr_terms)
			return fit;
		in[negative] = false;
		solve_told(&e, in, &s);
	}
}
