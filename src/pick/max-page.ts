/**
 * The last page that the service returns, even if `total_pages` is larger.
 * @example const lastPage = Math.min(total_pages, MAX_PAGE);
 */
export const MAX_PAGE = 500;
