/**
 * What operators decide about money of which no rail will tell: one proposes, another confirms, and a processor carries it out. Calls
 * {@code api} for transactions; asks MongoDB.
 */
@NullMarked
package dev.ligeiro.gateway.operator.resolve;

import org.jspecify.annotations.NullMarked;
