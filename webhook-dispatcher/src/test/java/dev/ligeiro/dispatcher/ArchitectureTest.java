package dev.ligeiro.dispatcher;

import static com.tngtech.archunit.base.DescribedPredicate.alwaysFalse;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.simpleNameEndingWith;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.junit.ArchTests;
import com.tngtech.archunit.lang.ArchRule;
import dev.ligeiro.testing.architecture.ServiceRules;

@AnalyzeClasses(packages = "dev.ligeiro.dispatcher", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

    @ArchTest
    static final ArchTests everyService = ArchTests.in(ServiceRules.class);

    @ArchTest
    static final ArchRule mongodb = ServiceRules.mongodbOnlyInStoresAnd(alwaysFalse());

    @ArchTest
    static final ArchRule blocking = ServiceRules.blockingCallsOnlyIn(simpleNameEndingWith("Listener"));

    @ArchTest
    static final ArchRule kafka = noClasses()
            .that()
            .resideOutsideOfPackage("..intake..")
            .should()
            .dependOnClassesThat(resideInAnyPackage("org.apache.kafka..", "org.springframework.kafka.."))
            .because("attempts and retries do not depend on the source of an event");

    @ArchTest
    static final ArchRule httpClient = noClasses()
            .that()
            .resideOutsideOfPackage("..http..")
            .should()
            .dependOnClassesThat(resideInAnyPackage("org.apache.hc..", "java.net.http.."))
            .because("a request that does not use WebhookClient would bypass the address rules");
}
