package dev.ligeiro.gateway.api.list.count;

import org.jspecify.annotations.Nullable;

/** The versions of slices at one moment. A slice's version changes after each change of status of its transactions. */
interface Versions {

    /** Of filters without a status: their matches in a past slice never change, because only the status of a transaction does. */
    Versions CONSTANT = slice -> 0L;

    /** Null if the slice's day has no versions: then no count of it is kept. */
    @Nullable
    Long of(Slice slice);
}
