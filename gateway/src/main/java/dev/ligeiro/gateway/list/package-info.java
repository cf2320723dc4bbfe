/**
 * Lists transactions by filters, page by page.
 */
@NullMarked
package dev.ligeiro.gateway.list;

import org.jspecify.annotations.NullMarked;
