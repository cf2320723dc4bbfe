/** A QR code decoder that shares no code with the gateway's encoder. */
@NullMarked
package dev.ligeiro.testing.qrcode;

import org.jspecify.annotations.NullMarked;
