/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What stands in for the rest of a kernel when a few of its functions are made
 * into a policy: the scheduler's calls and the stores, which become steps of
 * the plan, and the words that such functions are written with. A name that is
 * defined here is never taken from a tree.
 *
 * Nothing is behind the pointers: a struct page and the address that it is
 * mapped at are numbers, from which the index of the page is worked out again.
 */
#ifndef KPOLICY_SHIM_H
#define KPOLICY_SHIM_H

#include <fz/policy.h>

#include <stddef.h>

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef signed char s8;
typedef short s16;
typedef int s32;
typedef long long s64;
typedef u64 phys_addr_t;
typedef unsigned int gfp_t;
typedef long ssize_t;
typedef s64 ktime_t;

/* Words for the compiler, or for tools that read kernels. */
#undef __always_inline
#define __always_inline    inline
#define noinline           __attribute__((__noinline__))
#define noinline_for_stack __attribute__((__noinline__))
#define __cold             __attribute__((__cold__))
#define __hot              __attribute__((__hot__))
#define __flatten          __attribute__((__flatten__))
#define __pure             __attribute__((__pure__))
#define __packed           __attribute__((__packed__))
#define __aligned(bytes)   __attribute__((__aligned__(bytes)))
#define __maybe_unused     __attribute__((unused))
#define __always_unused    __attribute__((unused))
#define __used             __attribute__((__used__))
#define __must_check
#define __force
#define __user
#define __iomem
#define __percpu
#define __rcu
#define __init
#define __initdata
#define __initconst
#define __meminitdata
#define __refdata
#define __ro_after_init
#define __latent_entropy
#define __cacheline_aligned
#define __cacheline_aligned_in_smp
#define ____cacheline_aligned
#define ____cacheline_aligned_in_smp
#define __meminit
#define __ref
#define __sched
#define __read_mostly
#define __no_sanitize_address
#define __no_kmsan_checks
#define notrace
#define noinstr
#define asmlinkage
#define fallthrough                       __attribute__((fallthrough))
#define likely(condition)                 (condition)
#define unlikely(condition)               (condition)
#define barrier()                         ((void)0)
#define prefetchw(address)                ((void)(address))
#define READ_ONCE(place)                  (place)
#define WRITE_ONCE(place, value)          ((place) = (value))
#define BUILD_BUG_ON(condition)           _Static_assert(!(condition), #condition)
#define BUILD_BUG_ON_MSG(condition, text) _Static_assert(!(condition), text)
#define BUILD_BUG()                       __builtin_trap()
#define BUG()                             __builtin_trap()
#define cpu_relax()                       ((void)0)
#define VM_BUG_ON(condition)              BUG_ON(condition)
#define VM_BUG_ON_PAGE(condition, p)      BUG_ON(condition)
#define VM_BUG_ON_FOLIO(condition, f)     BUG_ON(condition)
#define VM_WARN_ON(condition)             WARN_ON(condition)
#define VM_WARN_ON_ONCE(condition)        WARN_ON(condition)
#define VM_WARN_ON_FOLIO(cond, f)         WARN_ON(cond)
#define VM_WARN_ON_ONCE_FOLIO(cond, f)    WARN_ON(cond)
#define WARN_ON(condition)                (!!(condition))
#define WARN_ON_ONCE(condition)           (!!(condition))
#define WARN(condition, ...)              (!!(condition))
#define WARN_ONCE(condition, ...)         (!!(condition))
#define VM_WARN_ONCE(condition, ...)      (!!(condition))
/* Ends the process that plans, which is told as a crash of the policy. */
#define BUG_ON(condition)                 \
	do {                              \
		if (condition)            \
			__builtin_trap(); \
	} while (0)

/* Nobody reads them. */
#define pr_debug(...)     ((void)0)
#define pr_info(...)      ((void)0)
#define pr_info_once(...) ((void)0)
#define pr_warn(...)      ((void)0)
#define pr_warn_once(...) ((void)0)
#define pr_err(...)       ((void)0)
#define printk(...)       ((void)0)

/* Arithmetic. Down to round_up(), arguments are evaluated once. */
#define min(a, b)                          \
	({                                 \
		__auto_type fz_a = (a);    \
		__auto_type fz_b = (b);    \
		fz_a < fz_b ? fz_a : fz_b; \
	})
#define max(a, b)                          \
	({                                 \
		__auto_type fz_c = (a);    \
		__auto_type fz_d = (b);    \
		fz_c > fz_d ? fz_c : fz_d; \
	})
#define min_t(type, a, b)           min((type)(a), (type)(b))
#define max_t(type, a, b)           max((type)(a), (type)(b))
#define min3(a, b, c)               min(min(a, b), c)
#define max3(a, b, c)               max(max(a, b), c)
#define umin(a, b)                  min((u64)(a), (u64)(b))
#define umax(a, b)                  max((u64)(a), (u64)(b))
#define clamp_t(type, v, low, high) clamp((type)(v), (type)(low), (type)(high))
#define clamp(value, low, high)                              \
	({                                                   \
		__auto_type fz_v = (value);                  \
		__auto_type fz_l = (low);                    \
		__auto_type fz_h = (high);                   \
		fz_v<fz_l ? fz_l : fz_v> fz_h ? fz_h : fz_v; \
	})
#define swap(a, b)                         \
	do {                               \
		__auto_type fz_kept = (a); \
		(a) = (b);                 \
		(b) = fz_kept;             \
	} while (0)
#define abs(value)                          \
	({                                  \
		__auto_type fz_n = (value); \
		fz_n < 0 ? -fz_n : fz_n;    \
	})
/* Also of what is no power of two. */
#define rounddown(x, to)                \
	({                              \
		__auto_type fz_x = (x); \
		fz_x - fz_x % (to);     \
	})
#define roundup(x, to)                                \
	({                                            \
		__auto_type fz_to = (to);             \
		fz_to *(((x) + (fz_to - 1)) / fz_to); \
	})
/* Of powers of two: what is negative goes down, too. */
#define FZ_BELOW(x, to)       ((__typeof__(x))((to)-1))
#define round_down(x, to)     ((x) & ~FZ_BELOW(x, to))
#define round_up(x, to)       (-(-(x) & ~FZ_BELOW(x, to)))
#define ALIGN(x, to)          round_up(x, to)
#define ALIGN_DOWN(x, to)     round_down(x, to)
#define PTR_ALIGN(p, to)      ((__typeof__(p))ALIGN((unsigned long)(p), to))
#define IS_ALIGNED(x, to)     (((x)&FZ_BELOW(x, to)) == 0)
#define PAGE_ALIGN(address)   ALIGN(address, PAGE_SIZE)
#define PAGE_ALIGNED(address) IS_ALIGNED((unsigned long)(address), PAGE_SIZE)
/* Constants, of constants. */
#define MIN(a, b)            ((a) < (b) ? (a) : (b))
#define MAX(a, b)            ((a) > (b) ? (a) : (b))
#define DIV_ROUND_UP(x, by)  (((x) + (by)-1) / (by))
#define ARRAY_SIZE(array)    (sizeof(array) / sizeof((array)[0]))
#define BIT(n)               (1ul << (n))
#define BITS_PER_BYTE        8
#define BITS_PER_LONG        64
#define _AC(number, suffix)  _AC_(number, suffix)
#define _AC_(number, suffix) number##suffix
#define is_power_of_2(n)     ((n) && !((n) & ((n)-1)))
#define ilog2(n)             (63 - __builtin_clzll(n))

/*
 * Of a CONFIG_ word: 1 if it is defined as 1, else 0. Those that are about
 * preemption follow the model that is planned for: names of variables, which
 * are 0 where #if asks.
 */
#define IS_ENABLED(word)               FZ_ENABLED(word)
#define IS_BUILTIN(word)               FZ_ENABLED(word)
#define IS_MODULE(word)                0
#define FZ_ENABLED(value)              FZ_SECOND(FZ_IS_##value 1, 0, 0)
#define FZ_SECOND(...)                 FZ_SECOND_(__VA_ARGS__)
#define FZ_SECOND_(first, second, ...) second
#define FZ_IS_1                        0, 1,
#define FZ_IS_CONFIG_PREEMPTION        0, fz_is_preemptible,
#define FZ_IS_CONFIG_PREEMPT_NONE      0, fz_is_none,
#define FZ_IS_CONFIG_PREEMPT_VOLUNTARY 0, fz_is_voluntary,
#define FZ_IS_CONFIG_PREEMPT           0, fz_is_full,
#define FZ_IS_CONFIG_PREEMPT_LAZY      0, fz_is_lazy,
#define FZ_IS_CONFIG_PREEMPT_RT        0, fz_is_rt,

#define PAGE_SHIFT 12
#define PAGE_SIZE  (1ul << PAGE_SHIFT)
#define PAGE_MASK  (~(PAGE_SIZE - 1))

/* Big enough that nothing fits between two, as in a kernel. */
struct page {
	unsigned char fz_unused[64];
};

/* The one that is zeroed. */
struct folio {
	struct page page;
};

struct vm_area_struct;
struct task_struct;

/* The kernel that is planned for. */
static struct {
	struct fz_plan_builder *builder;
	const struct fz_zero_request *request;
} fz_kernel;

static bool fz_is_none, fz_is_voluntary, fz_is_full, fz_is_lazy, fz_is_rt,
	fz_is_preemptible;

/*
 * Where pages and their addresses begin: aligned for a folio of any size, and
 * above all that a process has mapped, so that what is on the stack is no page.
 */
#define FZ_USER       (1ul << 57)
#define FZ_PAGES      ((struct page *)(1ul << 58))
#define FZ_MAPPED     (1ul << 59)
#define FZ_MAPPED_END (1ul << 60)

/* An address that is no page's gives what no folio has. */
static inline uint64_t fz_page_index(const volatile void *address)
{
	const unsigned long bytes = (unsigned long)address - FZ_MAPPED;

	return bytes % PAGE_SIZE ? UINT64_MAX >> 1 : bytes >> PAGE_SHIFT;
}

/* One call of a primitive, for what --shim adds too. */
static inline void fz_clear(const volatile void *address, uint64_t nr_pages,
			    enum fz_hint hint)
{
	const struct fz_step step = {
		.op = FZ_OP_CLEAR,
		.hint = hint,
		.first = fz_page_index(address),
		.nr = nr_pages,
	};

	fz_plan_add_step(fz_kernel.builder, step);
}

/* Something only a running kernel knows; what it is assumed to say. */
static inline int fz_assume(int answer)
{
	fz_plan_conditional(fz_kernel.builder);
	return answer;
}

/* The scheduler. */
#define might_sleep() fz_call(FZ_OP_MIGHT_SLEEP)
#define might_sleep_if(when)           \
	do {                           \
		if (when)              \
			might_sleep(); \
	} while (0)
#define current                           ((struct task_struct *)NULL)
#define need_resched()                    fz_assume(0)
#define tif_need_resched()                fz_assume(0)
#define signal_pending(task)              fz_assume(((void)(task), 0))
#define fatal_signal_pending(task)        fz_assume(((void)(task), 0))
#define signal_pending_state(state, task) fz_assume(((void)(task), 0))
#define test_thread_flag(flag)            fz_assume(0)
#define preempt_count()                   fz_assume(0)
#define rcu_preempt_depth()               fz_assume(0)
#define in_atomic()                       fz_assume(0)
#define in_interrupt()                    fz_assume(0)
#define in_softirq()                      fz_assume(0)
#define in_hardirq()                      fz_assume(0)
#define in_nmi()                          fz_assume(0)
#define in_task()                         fz_assume(1)
#define irqs_disabled()                   fz_assume(0)
#define preemptible()                     fz_assume(preempt_model_preemptible())
#define gfpflags_allow_blocking(flags)    fz_assume(((void)(flags), 1))
#define jiffies                           ((unsigned long)fz_assume(0))
#define ktime_get()                       ((ktime_t)fz_assume(0))
#define ktime_get_ns()                    ((u64)fz_assume(0))
#define local_clock()                     ((u64)fz_assume(0))
#define sched_clock()                     ((u64)fz_assume(0))

/* What they change about the calls above, the context of a plan says. */
#define preempt_disable()                    ((void)0)
#define preempt_enable()                     ((void)0)
#define preempt_enable_no_resched()          ((void)0)
#define rcu_read_lock()                      ((void)0)
#define rcu_read_unlock()                    ((void)0)
#define lockdep_assert(...)                  ((void)0)
#define lockdep_assert_held(...)             ((void)0)
#define lockdep_assert_held_read(...)        ((void)0)
#define lockdep_assert_held_write(...)       ((void)0)
#define lockdep_assert_not_held(...)         ((void)0)
#define lockdep_assert_irqs_enabled()        ((void)0)
#define lockdep_assert_irqs_disabled()       ((void)0)
#define lockdep_assert_preemption_enabled()  ((void)0)
#define lockdep_assert_preemption_disabled() ((void)0)

static inline void fz_call(enum fz_op op)
{
	fz_plan_add_step(fz_kernel.builder, (struct fz_step){ .op = op });
}

static inline int cond_resched(void)
{
	fz_call(FZ_OP_COND_RESCHED);
	return 0;
}

static inline bool fz_model_is(unsigned int set)
{
	return set & FZ_PREEMPT_BIT(fz_kernel.request->preempt);
}

static inline bool preempt_model_none(void)
{
	return fz_model_is(FZ_PREEMPT_BIT(FZ_PREEMPT_NONE));
}

static inline bool preempt_model_voluntary(void)
{
	return fz_model_is(FZ_PREEMPT_BIT(FZ_PREEMPT_VOLUNTARY));
}

static inline bool preempt_model_full(void)
{
	return fz_model_is(FZ_PREEMPT_BIT(FZ_PREEMPT_FULL) |
			   FZ_PREEMPT_BIT(FZ_PREEMPT_RT_FULL));
}

static inline bool preempt_model_lazy(void)
{
	return fz_model_is(FZ_PREEMPT_BIT(FZ_PREEMPT_LAZY) |
			   FZ_PREEMPT_BIT(FZ_PREEMPT_RT_LAZY));
}

static inline bool preempt_model_rt(void)
{
	return fz_model_is(FZ_PREEMPT_BIT(FZ_PREEMPT_RT_FULL) |
			   FZ_PREEMPT_BIT(FZ_PREEMPT_RT_LAZY));
}

static inline bool preempt_model_preemptible(void)
{
	return fz_model_is(FZ_PREEMPT_PREEMPTIBLE);
}

/* The folio, and its pages. */
#define folio_page(folio, n)    (&(&(folio)->page)[n])
#define nth_page(page, n)       ((page) + (n))
#define folio_test_large(folio) (folio_nr_pages(folio) > 1)
#define folio_address(folio)    page_address(&(folio)->page)
#define folio_pfn(folio)        page_to_pfn(&(folio)->page)
#define page_folio(page)        ((void)(page), (struct folio *)FZ_PAGES)
#define compound_head(page)     ((void)(page), FZ_PAGES)
#define compound_nr(page)       ((void)(page), folio_nr_pages(NULL))
#define compound_order(page)    ((void)(page), folio_order(NULL))
#define page_size(page)         ((void)(page), folio_size(NULL))
#define page_to_pfn(page)       ((unsigned long)((page)-FZ_PAGES))
#define pfn_to_page(pfn)        (FZ_PAGES + (pfn))
#define page_to_virt(page)      page_address(page)
#define virt_to_page(address)   (FZ_PAGES + fz_page_index(address))
#define offset_in_page(address) ((unsigned long)(address) & ~PAGE_MASK)

static inline unsigned long folio_nr_pages(const struct folio *folio)
{
	(void)folio;
	return fz_kernel.request->nr_pages;
}

static inline unsigned int folio_order(const struct folio *folio)
{
	return ilog2(folio_nr_pages(folio));
}

static inline size_t folio_size(const struct folio *folio)
{
	return folio_nr_pages(folio) << PAGE_SHIFT;
}

static inline unsigned int folio_shift(const struct folio *folio)
{
	return ilog2(folio_size(folio));
}

/* All memory is mapped, all the time. */
#define page_address(page) \
	((void *)(FZ_MAPPED + (page_to_pfn(page) << PAGE_SHIFT)))
#define kmap(page)            page_address(page)
#define kmap_local_page(page) page_address(page)
#define kmap_local_folio(folio, at) \
	((void *)((char *)folio_address(folio) + (at)))
#define kmap_atomic(page)         page_address(page)
#define kunmap(page)              ((void)(page))
#define kunmap_local(address)     ((void)(address))
#define kunmap_atomic(address)    ((void)(address))
#define flush_dcache_page(page)   ((void)(page))
#define flush_dcache_folio(folio) ((void)(folio))
#define PageHighMem(page)         ((void)(page), 0)
#define pfn_valid(pfn)            ((void)(pfn), 1)

/* Flags that a page may have. */
#define PageHWPoison(page)         fz_assume(((void)(page), 0))
#define PageHuge(page)             fz_assume(((void)(page), 0))
#define folio_test_hwpoison(folio) fz_assume(((void)(folio), 0))
#define folio_test_hugetlb(folio)  fz_assume(((void)(folio), 0))

/* Checkers of memory, all off. */
#define kasan_disable_current()             ((void)0)
#define kasan_enable_current()              ((void)0)
#define kasan_reset_tag(address)            ((void *)(address))
#define kasan_hw_tags_enabled()             0
#define page_kasan_tag(page)                ((void)(page), (u8)0)
#define page_kasan_tag_set(page, tag)       ((void)(page), (void)(tag))
#define page_kasan_tag_reset(page)          ((void)(page))
#define kmsan_unpoison_memory(where, bytes) ((void)(where), (void)(bytes))
#define instrument_memset(where, bytes)     ((void)(where), (void)(bytes))

/* The stores. */
#define memset(address, byte, bytes) fz_memset(address, byte, bytes)

/* A function, as an architecture's: it may be pointed at. */
static inline void clear_page(void *address)
{
	fz_clear(address, 1, FZ_HINT_CACHED);
}

/* One of whole pages is a call of a primitive. */
static inline void *fz_memset(void *address, int byte, size_t bytes)
{
	const unsigned long at = (unsigned long)address;

	if (at < FZ_USER || at >= FZ_MAPPED_END)
		return __builtin_memset(address, byte, bytes);
	if (byte || bytes % PAGE_SIZE)
		__builtin_trap();
	fz_clear(address, bytes >> PAGE_SHIFT, FZ_HINT_CACHED);
	return address;
}

/*
 * Those that an architecture may bring, in its place; where it brings none, the
 * tree's own in terms of clear_page() is taken.
 */
#define FZ_ARCH_clear_pages                                             \
	static inline void clear_pages(void *address, unsigned long nr) \
	{                                                               \
		fz_clear(address, nr, FZ_HINT_CACHED);                  \
	}
#define FZ_ARCH_clear_user_page                                               \
	static inline void clear_user_page(void *address, unsigned long user, \
					   struct page *page)                 \
	{                                                                     \
		(void)user, (void)page;                                       \
		fz_clear(address, 1, FZ_HINT_CACHED);                         \
	}
#define FZ_ARCH_clear_user_pages                                               \
	static inline void clear_user_pages(void *address, unsigned long user, \
					    struct page *page,                 \
					    unsigned long nr)                  \
	{                                                                      \
		(void)user, (void)page;                                        \
		fz_clear(address, nr, FZ_HINT_CACHED);                         \
	}
#define FZ_ARCH_clear_user_highpage                                \
	static inline void clear_user_highpage(struct page *page,  \
					       unsigned long user) \
	{                                                          \
		(void)user;                                        \
		fz_clear(page_address(page), 1, FZ_HINT_CACHED);   \
	}
#define FZ_ARCH_clear_user_highpages                                     \
	static inline void clear_user_highpages(                         \
		struct page *page, unsigned long user, unsigned long nr) \
	{                                                                \
		(void)user;                                              \
		fz_clear(page_address(page), nr, FZ_HINT_CACHED);        \
	}

#endif
