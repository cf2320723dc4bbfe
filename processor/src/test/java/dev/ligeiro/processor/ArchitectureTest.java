package dev.ligeiro.processor;

import static com.tngtech.archunit.base.DescribedPredicate.alwaysFalse;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.simpleNameEndingWith;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.junit.ArchTests;
import com.tngtech.archunit.lang.ArchRule;
import dev.ligeiro.testing.architecture.ServiceRules;

@AnalyzeClasses(packages = "dev.ligeiro.processor", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

    @ArchTest
    static final ArchTests everyService = ArchTests.in(ServiceRules.class);

    @ArchTest
    static final ArchRule mongodb = ServiceRules.mongodbOnlyInStoresAnd(alwaysFalse());

    @ArchTest
    static final ArchRule blocking = ServiceRules.blockingCallsOnlyIn(simpleNameEndingWith("Listener"));

    @ArchTest
    static final ArchRule decisions = noClasses()
            .that()
            .resideInAPackage("..decide..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "reactor..", "org.springframework..", "com.mongodb..", "org.apache.kafka..", "io.micrometer..")
            .because("decisions are pure functions, which tests call without a broker");

    @ArchTest
    static final ArchRule rooms = slices().matching("dev.ligeiro.processor.(**)")
            .should()
            .beFreeOfCycles()
            .because("rails are added and removed one by one, and the others know nothing of it");

    @ArchTest
    static final ArchRule intake = noClasses()
            .that()
            .resideInAPackage("..intake..")
            .should()
            .bePublic()
            .because("only Kafka calls the intake");
}
