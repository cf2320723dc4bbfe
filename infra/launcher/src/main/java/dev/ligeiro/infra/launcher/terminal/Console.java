package dev.ligeiro.infra.launcher.terminal;

import java.time.LocalTime;
import java.time.temporal.ChronoUnit;

/** Prints to the terminal. */
public final class Console {

    private Console() {}

    public static void print(String text) {
        System.out.println(text);
    }

    /** An event that the user did not cause, such as a restart, with the time of day. */
    public static void printEvent(String event) {
        System.out.println(LocalTime.now().truncatedTo(ChronoUnit.SECONDS) + " " + event);
    }
}
