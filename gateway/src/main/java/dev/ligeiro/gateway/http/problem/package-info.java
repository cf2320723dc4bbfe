/**
 * Error responses: the only table that maps exceptions to problems (RFC 9457).
 */
@NullMarked
package dev.ligeiro.gateway.http.problem;

import org.jspecify.annotations.NullMarked;
