/**
 * Every answer that is not a success: RFC 9457 problems, and the only table that makes them of exceptions.
 */
@NullMarked
package dev.ligeiro.gateway.problem;

import org.jspecify.annotations.NullMarked;
