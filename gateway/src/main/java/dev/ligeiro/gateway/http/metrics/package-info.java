/**
 * What an operator sees of the public port: the request id, timers by route, the requests under way and the access line. The
 * public port calls it around every request; features read the origin of their commands from it.
 */
@NullMarked
package dev.ligeiro.gateway.http.metrics;

import org.jspecify.annotations.NullMarked;
