/// Objects as rows: the `meta.k8s.io/v1` Table that kubectl prints. Each kind has its columns here.
@NullMarked
package io.berth.apiserver.table;

import org.jspecify.annotations.NullMarked;
