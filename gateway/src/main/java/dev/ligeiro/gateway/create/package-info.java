/**
 * Creates transactions: parse, insert in a batch, publish, respond.
 */
@NullMarked
package dev.ligeiro.gateway.create;

import org.jspecify.annotations.NullMarked;
