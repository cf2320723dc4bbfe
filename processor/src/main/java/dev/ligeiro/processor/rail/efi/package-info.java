/** The rail of an account at Efí: the Pix API, and cashouts by Efí's own calls. */
@NullMarked
package dev.ligeiro.processor.rail.efi;

import org.jspecify.annotations.NullMarked;
