/** The rail that speaks the BACEN Pix API 2.9: charges of cashins, their cancels and refunds. */
@NullMarked
package dev.ligeiro.processor.rail.pix;

import org.jspecify.annotations.NullMarked;
