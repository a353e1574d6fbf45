// SPDX-License-Identifier: GPL-2.0-or-later
/* The policy around the functions that came before. */

static void fz_tell_model(void)
{
	fz_is_none = preempt_model_none();
	fz_is_voluntary = preempt_model_voluntary();
	fz_is_full = preempt_model_full();
	fz_is_lazy = preempt_model_lazy();
	fz_is_rt = preempt_model_rt();
	fz_is_preemptible = preempt_model_preemptible();
}

static void fz_kernel_plan(struct fz_plan_builder *builder,
			   const struct fz_zero_request *request)
{
	struct folio *const fz_folio = (struct folio *)FZ_PAGES;
	struct page *const fz_pages = FZ_PAGES;
	const unsigned long bytes = request->nr_pages << PAGE_SHIFT;
	const unsigned long fz_address =
		roundup(FZ_USER, bytes) + (request->fault_page << PAGE_SHIFT);

	fz_kernel.builder = builder;
	fz_kernel.request = request;
	fz_tell_model();
	(void)fz_folio, (void)fz_pages, (void)fz_address;
	(void)FZ_KERNEL_CALL;
}

__attribute__((visibility("default"))) const struct fz_policy fz_policy = {
	FZ_POLICY_HEAD,
	.name = FZ_KERNEL_NAME,
	.summary = FZ_KERNEL_SUMMARY,
	.kernels = FZ_KERNEL_VERSION,
	.uses = FZ_KERNEL_USES,
	.models = FZ_KERNEL_MODELS,
	.plan = fz_kernel_plan,
};
