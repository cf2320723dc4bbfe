/** The HTTP client for webhooks, with protection against requests to internal addresses. Called by {@code attempt}; calls DNS and merchants. */
@NullMarked
package dev.ligeiro.dispatcher.http;

import org.jspecify.annotations.NullMarked;
