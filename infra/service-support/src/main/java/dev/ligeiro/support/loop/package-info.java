/** Loops: {@link StartLoop} starts waiting work, {@link RepeatedWork} repeats a piece of work. Gateway and processor call in. */
@NullMarked
package dev.ligeiro.support.loop;

import org.jspecify.annotations.NullMarked;
