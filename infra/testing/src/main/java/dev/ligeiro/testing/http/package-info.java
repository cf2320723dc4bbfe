/** Valid and invalid HTTP requests to the API. */
@NullMarked
package dev.ligeiro.testing.http;

import org.jspecify.annotations.NullMarked;
