/** Writes responses in JSON, and the addresses of this gateway in them. Controllers call in. */
@NullMarked
package dev.ligeiro.gateway.http.response;

import org.jspecify.annotations.NullMarked;
