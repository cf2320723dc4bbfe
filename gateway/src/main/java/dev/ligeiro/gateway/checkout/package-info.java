/**
 * The page that {@code payment_link} opens. Public: it shows no personal data.
 */
@NullMarked
package dev.ligeiro.gateway.checkout;

import org.jspecify.annotations.NullMarked;
