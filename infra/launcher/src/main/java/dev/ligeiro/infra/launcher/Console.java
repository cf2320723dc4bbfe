package dev.ligeiro.infra.launcher;

import java.time.LocalTime;
import java.time.temporal.ChronoUnit;

/** Prints to the terminal. */
final class Console {

    private Console() {}

    static void print(String text) {
        System.out.println(text);
    }

    /** An event that the user did not cause, such as a restart, with the time of day. */
    static void printEvent(String event) {
        System.out.println(LocalTime.now().truncatedTo(ChronoUnit.SECONDS) + " " + event);
    }
}
