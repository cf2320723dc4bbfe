/**
 * Reads the bodies and query parameters of requests field by field, and writes their values as JSON; controllers and parsers call in.
 */
@NullMarked
package dev.ligeiro.gateway.http;

import org.jspecify.annotations.NullMarked;
