/** POSTs to addresses that strangers chose: {@code attempt} calls in, it calls merchants and DNS. */
@NullMarked
package dev.ligeiro.dispatcher.http;

import org.jspecify.annotations.NullMarked;
