/** The defence bundle of a transaction, and the public keys of those who verify one. Called over HTTP; calls the stores of other features. */
@NullMarked
package dev.ligeiro.gateway.api.bundle;

import org.jspecify.annotations.NullMarked;
