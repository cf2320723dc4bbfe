/**
 * The defence bundle: what is stored of one transaction, as a signed archive. Gateway and desk read its parts and make it. Depends on
 * {@code transaction}, {@code store} and {@code view}.
 */
@NullMarked
package dev.ligeiro.bundle;

import org.jspecify.annotations.NullMarked;
