/**
 * A client of the gateway's HTTP API and the file {@code demo.env}. Called by the launcher, the load test and the tests of
 * several modules; calls the gateway over HTTP only.
 */
@NullMarked
package dev.ligeiro.infra.client;

import org.jspecify.annotations.NullMarked;
