/**
 * Lists transactions by filters, page by page: {@code count} has the totals and where a page begins, {@code match} reads it. Called by
 * HTTP; {@code export} reads the same rows without pages.
 */
@NullMarked
package dev.ligeiro.gateway.api.list;

import org.jspecify.annotations.NullMarked;
