/** Signs webhooks (Standard Webhooks 1.0). Pure: {@code attempt} calls in, it calls nobody. */
@NullMarked
package dev.ligeiro.dispatcher.signing;

import org.jspecify.annotations.NullMarked;
