/**
 * Takes a transaction in: parse, insert in a group, publish, answer.
 */
@NullMarked
package dev.ligeiro.gateway.create;

import org.jspecify.annotations.NullMarked;
