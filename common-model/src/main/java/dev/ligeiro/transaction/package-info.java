/**
 * What a transaction is: its values, its status machine and the moves it can make. Pure: every service calls in, it calls
 * nobody but {@code pix}.
 */
@NullMarked
package dev.ligeiro.transaction;

import org.jspecify.annotations.NullMarked;
