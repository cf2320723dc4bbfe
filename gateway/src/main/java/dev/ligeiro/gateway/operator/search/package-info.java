/**
 * An operator finds transactions of all merchants, and sees what became of one. Called over HTTP and by other lists, which name the transactions
 * of their items; calls {@code api.show}, {@code api.webhook}, {@code store} and MongoDB.
 */
@NullMarked
package dev.ligeiro.gateway.operator.search;

import org.jspecify.annotations.NullMarked;
