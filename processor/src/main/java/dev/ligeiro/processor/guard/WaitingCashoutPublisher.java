package dev.ligeiro.processor.guard;

import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.processor.ProcessorMemoryBudget;
import dev.ligeiro.processor.apply.RecordPublisher;
import dev.ligeiro.support.kafka.BatchSender;
import dev.ligeiro.transaction.Transaction;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/**
 * Sends the commands of new cashouts again, after a time. Those that it has no room for, or that it loses when the process ends, wait for the
 * gateway: it publishes the command of each transaction that no processor has accepted.
 */
@Component
class WaitingCashoutPublisher {

    private final BatchSender sender;
    private final Semaphore room = new Semaphore(ProcessorMemoryBudget.CASHOUTS_WAITING);

    WaitingCashoutPublisher(BatchSender sender) {
        this.sender = sender;
    }

    /** Returns at once. */
    void publish(List<Transaction> cashouts, Duration after) {
        List<ProducerRecord<byte[], byte[]>> records = cashouts.stream()
                .map(cashout -> RecordPublisher.record(new TransactionCommand.Process(cashout)))
                .filter(record -> room.tryAcquire(record.value().length))
                .toList();
        int bytes = records.stream().mapToInt(record -> record.value().length).sum();
        Mono.delay(after)
                .then(Mono.defer(() -> sender.send(records, record -> record)))
                .onErrorComplete()
                .doFinally(signal -> room.release(bytes))
                .subscribe();
    }
}
