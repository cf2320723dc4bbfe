/**
 * The defence bundle: a signed archive of one transaction. Gateway and desk read its parts and make it. Depends on
 * {@code transaction}, {@code store} and {@code view}.
 */
@NullMarked
package dev.ligeiro.bundle;

import org.jspecify.annotations.NullMarked;
