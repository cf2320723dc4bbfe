/**
 * Reads one transaction, and its refunds page by page.
 */
@NullMarked
package dev.ligeiro.gateway.api.show;

import org.jspecify.annotations.NullMarked;
