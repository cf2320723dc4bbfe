package dev.ligeiro.processor.intake;

/** The step of a batch at which {@link CrashingProcessor} ends its JVM. */
enum CrashPoint {
    /** The rail has received the submission of a cashout and has not answered. */
    SUBMISSION,
    /** All changes of the batch are stored and none of its events is sent. */
    FIRST_EVENT
}
