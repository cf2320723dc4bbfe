package dev.ligeiro.processor;

import dev.ligeiro.support.FundsStore;
import dev.ligeiro.support.PayloadLocationStore;
import dev.ligeiro.support.kafka.CommittedOffsets;
import dev.ligeiro.support.kafka.KafkaConsumerConfiguration;
import dev.ligeiro.support.kafka.KafkaProducerConfiguration;
import dev.ligeiro.support.mongo.MongoClientConfiguration;
import dev.ligeiro.support.observe.BuildInfo;
import dev.ligeiro.support.observe.Traces;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;
import org.springframework.context.annotation.Import;

/** The processor service. */
@SpringBootApplication
@ConfigurationPropertiesScan
@Import({
    MongoClientConfiguration.class,
    BuildInfo.class,
    KafkaProducerConfiguration.class,
    KafkaConsumerConfiguration.class,
    CommittedOffsets.class,
    FundsStore.class,
    PayloadLocationStore.class,
    Traces.class
})
public class ProcessorApplication {

    public static void main(String[] args) {
        SpringApplication.run(ProcessorApplication.class, args);
    }
}
