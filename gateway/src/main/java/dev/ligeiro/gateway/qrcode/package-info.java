/**
 * Draws the QR code of a BR Code as a PNG data URI. Called for every response with a transaction and by the checkout page. Calls ZXing
 * eight times per QR version, for the tables and fixed patterns of ISO/IEC 18004, and never for a request. {@code gateway/RATIONALE.md} has the
 * figures.
 */
@NullMarked
package dev.ligeiro.gateway.qrcode;

import org.jspecify.annotations.NullMarked;
