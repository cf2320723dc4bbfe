package dev.ligeiro.processor.intake;

/** The step at which a processor of {@link CrashingProcessors} stops until its JVM is killed. Each is between two steps of the flow. */
enum CrashPoint {
    /** The rail calls are stored; the rail has received neither the submission nor the refund. */
    BEFORE_CALL,
    /** The rail has moved the money of both and has answered neither. */
    IN_CALL,
    /** The rail was asked for both outcomes and has answered neither question. */
    IN_INQUIRY,
    /** The rail has answered both calls outside of the batch; no answer is sent as a command. */
    BEFORE_ANSWER,
    /** All changes of the batch are stored, and no version of their time buckets is replaced. */
    BEFORE_VERSIONS,
    /** As before, and the versions are replaced; none of its events is sent. */
    BEFORE_EVENTS,
    /** The change of an answer that came as a command is stored, and its event is not sent. */
    BEFORE_OUTCOME_EVENT,
    /** Kafka has the four events of the batch; its offsets are not committed. */
    BEFORE_COMMIT
}
