/**
 * The merchant's side: sends calls at a given pace over keep-alive connections and checks every response. Called by the load test's
 * flow; calls the gateway.
 */
@NullMarked
package dev.ligeiro.infra.loadtest.generate;

import org.jspecify.annotations.NullMarked;
