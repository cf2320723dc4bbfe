/**
 * Compares the journal of calls with MongoDB. No figure counts without it. Called by the load test's flow.
 */
@NullMarked
package dev.ligeiro.infra.loadtest.audit;

import org.jspecify.annotations.NullMarked;
