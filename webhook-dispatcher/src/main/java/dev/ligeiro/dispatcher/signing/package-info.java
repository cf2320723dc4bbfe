/** The headers and signatures of webhooks (Standard Webhooks 1.0). Pure functions, called by {@code attempt}. */
@NullMarked
package dev.ligeiro.dispatcher.signing;

import org.jspecify.annotations.NullMarked;
