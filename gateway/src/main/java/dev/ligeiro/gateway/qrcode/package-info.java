/**
 * A BR Code as a picture: text in, PNG data URI out. Called by whatever answers a transaction (create, show, list, checkout); calls ZXing
 * once a version, for the tables and fixed patterns of ISO/IEC 18004, and nothing on the way of a request. {@code gateway/RATIONALE.md}
 * has the figures behind each choice.
 */
@NullMarked
package dev.ligeiro.gateway.qrcode;

import org.jspecify.annotations.NullMarked;
