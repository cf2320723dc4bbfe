package dev.ligeiro.infra.standalone;

import java.time.LocalTime;
import java.time.temporal.ChronoUnit;

/** What the launcher says to the person at the terminal. */
final class Console {

    private Console() {}

    static void say(String text) {
        System.out.println(text);
    }

    /** Something that happened by itself, with the time of day. */
    static void report(String event) {
        System.out.println(LocalTime.now().truncatedTo(ChronoUnit.SECONDS) + " " + event);
    }
}
