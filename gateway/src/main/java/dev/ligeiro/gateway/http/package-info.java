/**
 * What every route shares: reading a body, writing an answer, the request id.
 */
@NullMarked
package dev.ligeiro.gateway.http;

import org.jspecify.annotations.NullMarked;
