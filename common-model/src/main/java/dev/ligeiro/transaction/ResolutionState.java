package dev.ligeiro.transaction;

/** Where an operators' decision stands. The first two are open. */
public enum ResolutionState implements Coded {
    /** Another operator must confirm it. */
    PROPOSED,
    /** A processor carries it out. */
    CONFIRMED,
    APPLIED,
    WITHDRAWN,
    /** What it is about had changed before. */
    OUTDATED,
    /** The rail was asked once more and told the outcome, which counts. */
    ANSWERED_BY_RAIL,
    /** The rail has refused to send an unmatched payment back. */
    REFUSED_BY_RAIL
}
