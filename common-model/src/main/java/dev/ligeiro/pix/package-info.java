@NullMarked
package dev.ligeiro.pix;

import org.jspecify.annotations.NullMarked;
