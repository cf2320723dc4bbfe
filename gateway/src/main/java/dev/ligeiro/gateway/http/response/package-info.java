/** Writes responses in JSON. Controllers call in. */
@NullMarked
package dev.ligeiro.gateway.http.response;

import org.jspecify.annotations.NullMarked;
