/**
 * The public page that {@code payment_link} opens. It shows no personal data.
 */
@NullMarked
package dev.ligeiro.gateway.page.checkout;

import org.jspecify.annotations.NullMarked;
