package dev.ligeiro.support.kafka;

import dev.ligeiro.support.TransientFault;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.kafka.listener.RetryListener;

/** Logs one line per failed attempt at a batch. The stack trace, which may quote a record, is logged at DEBUG only. */
final class FailedBatchLog implements RetryListener {

    private static final Logger LOG = LoggerFactory.getLogger(FailedBatchLog.class);

    @Override
    public void failedDelivery(ConsumerRecord<?, ?> record, @Nullable Exception fault, int attempt) {
        throw new IllegalStateException("the listener takes batches", fault);
    }

    @Override
    public void failedDelivery(ConsumerRecords<?, ?> records, Exception fault, int attempt) {
        // the listener container wraps the listener's exception
        Throwable cause = fault.getCause() == null ? fault : fault.getCause();
        LOG.atWarn()
                .addKeyValue("event.action", "batch_failed")
                .addKeyValue("attempt", attempt)
                .addKeyValue("records", records.count())
                .addKeyValue("cause", describe(cause))
                .log("A batch failed and is tried again");
        LOG.atDebug()
                .setCause(fault)
                .addKeyValue("event.action", "batch_failed")
                .log("The exception of the failed batch");
    }

    private static String describe(Throwable cause) {
        return cause instanceof TransientFault
                ? String.valueOf(cause.getMessage())
                : cause.getClass().getSimpleName();
    }
}
