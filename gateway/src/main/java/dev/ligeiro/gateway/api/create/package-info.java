/**
 * Creates transactions: parse, insert in a batch, publish, respond. A repeated request gets the response of the first one.
 */
@NullMarked
package dev.ligeiro.gateway.api.create;

import org.jspecify.annotations.NullMarked;
