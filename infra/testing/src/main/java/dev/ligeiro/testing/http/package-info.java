/** HTTP calls to the API, right and wrong ones. */
@NullMarked
package dev.ligeiro.testing.http;

import org.jspecify.annotations.NullMarked;
