/**
 * Error responses: RFC 9457 problems, and the only table that maps exceptions to them.
 */
@NullMarked
package dev.ligeiro.gateway.http.problem;

import org.jspecify.annotations.NullMarked;
