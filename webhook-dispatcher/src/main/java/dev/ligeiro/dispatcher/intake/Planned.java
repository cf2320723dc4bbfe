package dev.ligeiro.dispatcher.intake;

import dev.ligeiro.dispatcher.attempt.Dispatch;

/** A new delivery, and what the intake does with it. */
record Planned(Dispatch dispatch, Way way) {

    enum Way {
        /** It is attempted from memory, then stored. */
        ATTEMPT,
        /** It is stored for its endpoint's lane, because the endpoint is not free, or because the event may be a repetition. */
        STORE,
        /** It is stored for the feed of its tenant. */
        FEED,
        /** It is stored as canceled, because its endpoint is disabled: the merchant can ask what it missed. */
        CANCEL
    }
}
